import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h } from 'vue'
import './muster.css'

/** A link to a page of the service; VitePress would look for it among its own pages. */
const ServiceLink = defineComponent({
  props: { text: { type: String, required: true }, href: { type: String, required: true }, screenMenu: Boolean },
  setup: ({ text, href, screenMenu }) => {
    const look = screenMenu ? 'service-link on-screen' : 'service-link'
    return () => h('a', { class: look, href, target: '_self' }, text)
  },
})

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('ServiceLink', ServiceLink)
  },
}
export default theme
