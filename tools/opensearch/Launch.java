import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/**
 * One OpenSearch node from the jars on the class path.
 *
 * <p>The first argument is the id of a process with which the node ends, 0 for none; the others are
 * settings, name=value, where commas make a list.
 */
final class Launch {
    public static void main(String[] args) throws Exception {
        Settings.Builder settings = Settings.builder();
        String home = null;
        for (String arg : List.of(args).subList(1, args.length)) {
            String name = arg.substring(0, arg.indexOf('='));
            String value = arg.substring(arg.indexOf('=') + 1);
            if (name.equals("path.home")) {
                home = value;
            }
            if (value.contains(",")) {
                settings.putList(name, value.split(","));
            } else {
                settings.put(name, value);
            }
        }
        Environment environment = InternalSettingsPreparer.prepareEnvironment(
            settings.build(), Map.of(), Path.of(home, "config"), () -> "node");
        Constructor<Node> made =
            Node.class.getDeclaredConstructor(Environment.class, Collection.class, boolean.class);
        made.setAccessible(true); // for those who embed a node; the types differ between versions
        Node node = made.newInstance(environment, plugins(), false);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception e) {
                e.printStackTrace();
            }
        }));
        node.start();
        long owner = Long.parseLong(args[0]);
        while (owner == 0 || ProcessHandle.of(owner).map(ProcessHandle::isAlive).orElse(false)) {
            Thread.sleep(1000);
        }
        System.exit(0);
    }

    /** Version 3 takes plug-ins as descriptions, version 2 as classes. */
    private static Collection<Object> plugins() throws Exception {
        boolean two = Version.CURRENT.major < 3;
        String kind = two ? "Plugin" : "ModulePlugin";
        Collection<Object> found = new ArrayList<>();
        for (String name : List.of(
                "org.opensearch.transport.Netty4" + kind,
                "org.opensearch.analysis.common.CommonAnalysis" + kind)) {
            found.add(two
                ? Class.forName(name)
                : new PluginInfo(
                    name, "", "", Version.CURRENT, "21", name, null, List.of(), false));
        }
        return found;
    }
}
